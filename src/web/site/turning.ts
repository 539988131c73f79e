/** What turns the carousel: Swiper with the specification's settings (chapter 9). It writes no markup, so Trusted Types hold. */
import Swiper from 'swiper';
import { Autoplay } from 'swiper/modules';
import { carousel } from '#contract/constants.ts';

export type Turning = {
  /** Whether it began by itself; not where less motion is wished for. */
  plays: boolean;
  play(): void;
  pause(): void;
  /** Turns to a page, counted from 0. */
  turnTo(page: number): void;
  /** Brings a card into view, counted from 0. */
  show(card: number): void;
  end(): void;
};

/** Starts turning a box of cards; `tell` hears which page of how many is shown, at first and on every change. */
export function startTurning(box: HTMLElement, tell: (at: { page: number; pages: number }) => void): Turning {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  box.scrollLeft = 0;
  const say = (swiper: Swiper) => tell({ page: swiper.snapIndex, pages: swiper.snapGrid.length });
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
    turnTo: page => void swiper.slideTo(page * Number(swiper.params.slidesPerGroup)),
    show(card) {
      // The browser has scrolled the focused card into view by itself; the turning does that here.
      box.scrollLeft = 0;
      if (card >= 0) swiper.slideTo(card);
    },
    end: () => swiper.destroy(),
  };
}
