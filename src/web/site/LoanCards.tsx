/** The six loans with rate, maximum amount and term, from chapter 9 of the specification. */
import { businessText } from './content/business.ts';
import './LoanCards.css';

const text = businessText.loans;

export function LoanCards() {
  return (
    <section className="Site-band" id="loans">
      <div className="Site-wrap">
        <div className="Site-head">
          <h2>{text.title}</h2>
          <p className="LoanCards-note">{text.note}</p>
        </div>
        <ul className="LoanCards">
          {text.items.map(loan => (
            <li key={loan.title}>
              <h3>{loan.title}</h3>
              <p>{loan.text}</p>
              <dl>
                <div className="LoanCards-rate">
                  <dt>{text.rateFrom}</dt>
                  <dd>
                    <b>{loan.rate}</b> {text.rateNote}
                  </dd>
                </div>
                <div>
                  <dt>{text.upTo}</dt>
                  <dd>{loan.upTo}</dd>
                </div>
                <div>
                  <dt>{text.term}</dt>
                  <dd>{loan.term}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
