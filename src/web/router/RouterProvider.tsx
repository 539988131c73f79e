/** The router in React: renders the open routes inside each other. */
import { Component, type ReactNode, startTransition, useLayoutEffect, useMemo, useState } from 'react';
import type { Location } from './history.ts';
import { LocationContext, OutletContext, RouterContext, StateContext } from './hooks.ts';
import type { AppRouter, RouterState } from './router.ts';

type BoundaryProps = { location: Location; failed: boolean; instead: ReactNode; children: ReactNode };

type BoundaryState = { shown?: Location; isBroken: boolean };

/** Shows `instead` after its children have failed, until the next navigation. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { isBroken: false };
  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { isBroken: true };
  }
  static getDerivedStateFromProps({ location }: BoundaryProps, { shown }: BoundaryState) {
    return shown === location ? null : { shown: location, isBroken: false };
  }
  override componentDidCatch(error: unknown): void {
    console.error(error);
  }
  override render(): ReactNode {
    return this.props.failed || this.state.isBroken ? this.props.instead : this.props.children;
  }
}

function nest({ matched, location, failed }: RouterState): ReactNode {
  let outlet: ReactNode = null;
  for (const { Component: Screen, element, ErrorBoundary } of matched.routes.toReversed()) {
    const screen = Screen ? <Screen /> : (element ?? outlet);
    const inside: ReactNode = <OutletContext value={outlet}>{screen}</OutletContext>;
    outlet = ErrorBoundary ? (
      <Boundary location={location} failed={failed} instead={<ErrorBoundary />}>
        {inside}
      </Boundary>
    ) : (
      inside
    );
  }
  return outlet;
}

/** Renders the open routes, or `children` instead if given. */
export function RouterProvider({ router, children }: { router: AppRouter; children?: ReactNode }) {
  const [state, setState] = useState(router.state);
  useLayoutEffect(() => {
    // A transition, so that the old screen stays while a part of the new one suspends.
    const follow = () => startTransition(() => setState(router.state));
    let path = location.pathname;
    const stopListening = router.subscribe(() => {
      // During `popstate`, React renders a transition synchronously, and a prerendered part whose script is not loaded yet
      // would disappear. So a move within a page (a link to an anchor, and Back from there) is followed after the event.
      if (window.event?.type === 'popstate' && path === location.pathname) setTimeout(follow);
      else follow();
      path = location.pathname;
    });
    const stop = router.start();
    follow();
    return () => {
      stopListening();
      stop();
    };
  }, [router]);
  const screens = useMemo(() => nest(state), [state]);
  return (
    <RouterContext value={router}>
      <StateContext value={state}>
        <LocationContext value={state.location}>{children ?? screens}</LocationContext>
      </StateContext>
    </RouterContext>
  );
}
