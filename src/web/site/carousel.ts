/** The carousel: Swiper with the settings of chapter 9 of the specification. It writes no markup, as Trusted Types require. */
import Swiper from 'swiper';
import { Autoplay } from 'swiper/modules';
import { carousel } from '#contract/constants.ts';

export type Carousel = {
  /** Whether autoplay started; it does not with reduced motion. */
  plays: boolean;
  play(): void;
  pause(): void;
  /** Shows a page, counted from 0. */
  showPage(page: number): void;
  /** Scrolls a card into view, counted from 0. */
  show(card: number): void;
  end(): void;
};

/**
 * Starts the carousel at a card, counted from 0. `onChange` receives the current page, the page count and the first card that
 * is shown, initially and on every change.
 */
export function startCarousel(
  box: HTMLElement,
  firstCard: number,
  onChange: (at: { page: number; pages: number; card: number }) => void,
): Carousel {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  box.scrollLeft = 0;
  const say = ({ snapIndex, snapGrid, activeIndex }: Swiper) =>
    onChange({ page: snapIndex, pages: snapGrid.length, card: activeIndex });
  const swiper = new Swiper(box, {
    modules: [Autoplay],
    initialSlide: firstCard,
    wrapperClass: 'ArticleCarousel-row',
    slideClass: 'ArticleCarousel-card',
    speed: calm ? 0 : 480,
    slidesPerView: 1,
    slidesPerGroup: 1,
    spaceBetween: carousel.spacing / 2,
    breakpoints: {
      641: {
        slidesPerView: carousel.perView,
        slidesPerGroup: carousel.perView,
        spaceBetween: carousel.spacing,
      },
    },
    autoplay: calm
      ? false
      : { delay: carousel.delayMs, disableOnInteraction: false, pauseOnMouseEnter: true },
    on: { init: say, snapIndexChange: say, snapGridLengthChange: say },
  });
  return {
    plays: !calm,
    play() {
      swiper.params.autoplay = {
        delay: carousel.delayMs,
        disableOnInteraction: false,
        pauseOnMouseEnter: true,
      };
      swiper.autoplay.start();
    },
    pause: () => void swiper.autoplay.stop(),
    showPage: page => void swiper.slideTo(page * Number(swiper.params.slidesPerGroup)),
    show(card) {
      // The browser scrolled the focused card into view; undo that, because the carousel does it.
      box.scrollLeft = 0;
      if (card >= 0) swiper.slideTo(card);
    },
    end: () => swiper.destroy(),
  };
}
