/** The picture of a savings goal: flat paper-cut shapes on a hill, in the palette's colors. Decorative. */
import type { GoalPicture as Name } from '#contract/goals.ts';
import './GoalPicture.css';

/** The object, its darker side at the lower right, and one accent, on a canvas of 64 by 64. */
const shapes: Record<Name, { main: string; shade: string; accent: string }> = {
  home: {
    main: 'M19 30 32 19l13 11v21H19z',
    shade: 'M14 32 32 16l18 16-3.4 3.4L32 22.6 17.4 35.4zM38 51V38h7v13z',
    accent: 'M27 51V39h8v12z',
  },
  car: {
    main: 'M10 45v-8l7-2 6-9h15l8 9 8 2v8z',
    shade: 'M21 35l4-6h5v6zM33 35v-6h4l5 6z',
    accent: 'M20 40a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM44 40a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z',
  },
  trip: {
    main: 'M34 12v29h18z',
    shade: 'M30 18v23H15zM12 43h41l-6 9H18z',
    accent: 'M31 9h2v34h-2zM33 9l8 2.5-8 3z',
  },
  school: {
    main: 'M11 24c8-4 17-3 21 1v24c-4-4-13-5-21-1z',
    shade: 'M53 24c-8-4-17-3-21 1v24c4-4 13-5 21-1z',
    accent: 'M40 21.5h6v14l-3-3-3 3z',
  },
  gift: {
    main: 'M16 32h32v19H16z',
    shade: 'M13 25h38v8H13zM40 33h8v18h-8z',
    accent: 'M29 25h6v26h-6zM32 25c-3-10-15-9-13-3 1 3 8 3 13 3zM32 25c3-10 15-9 13-3-1 3-8 3-13 3z',
  },
  umbrella: {
    main: 'M11 35a21 19 0 0 1 42 0z',
    shade: 'M32 16a21 19 0 0 1 21 19H42c0-9-4-16-10-19z',
    accent: 'M31 12h2v36a5.5 5.5 0 0 1-11 0h2a3.5 3.5 0 0 0 7 0z',
  },
  plant: {
    main: 'M21 39h22l-3.5 13h-15z',
    shade: 'M31 39c0-10-7-15-16-15 0 10 7 15 16 15zM33 39c-1-12 6-18 16-18 1 11-6 18-16 18z',
    accent: 'M32 11a6 6 0 1 1 0 12 6 6 0 0 1 0-12z',
  },
  star: {
    main: 'M32 15l5.3 11.2 12.2 1.6-9 8.5 2.3 12.2L32 42.6l-10.8 5.9 2.3-12.2-9-8.5 12.2-1.6z',
    shade: 'M32 15l5.3 11.2 12.2 1.6-9 8.5 2.3 12.2L32 42.6z',
    accent: 'M50 12a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  },
};

export function GoalPicture({ name }: { name: Name }) {
  const { main, shade, accent } = shapes[name];
  return (
    <svg className="GoalPicture" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path className="GoalPicture-edge" d="M0 47q15-9 33-3t31-4v24H0z" />
      <path className="GoalPicture-hill" d="M0 50q15-9 33-3t31-4v21H0z" />
      <path className="GoalPicture-main" d={main} />
      <path className="GoalPicture-shade" d={shade} />
      <path className="GoalPicture-accent" d={accent} />
    </svg>
  );
}
