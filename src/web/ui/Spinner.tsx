/** A rotating ring in the color of the text next to it. Always accompanies text, so screen readers skip it. */
import './Spinner.css';

export const Spinner = () => <span className="Spinner" aria-hidden="true" />;
