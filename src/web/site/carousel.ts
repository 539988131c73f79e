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

/** Starts the carousel; `onChange` receives the current page and the page count, initially and on every change. */
export function startCarousel(
  box: HTMLElement,
  onChange: (at: { page: number; pages: number }) => void,
): Carousel {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  box.scrollLeft = 0;
  const say = (swiper: Swiper) => onChange({ page: swiper.snapIndex, pages: swiper.snapGrid.length });
  const swiper = new Swiper(box, {
    modules: [Autoplay],
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
