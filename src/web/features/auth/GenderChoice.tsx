/** A choice of two options, with a label and an error like every field. */
import { gender } from '#contract/entities.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { registerText } from './authTexts.ts';
import '#web/ui/Field.css';
import './GenderChoice.css';

export type GenderChoiceProps = {
  id: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

const options = gender.map(value => ({ value: value as string, label: registerText.genders[value] }));

export function GenderChoice({ id, value, onChange, error }: GenderChoiceProps) {
  return (
    <div id={id} className={classNames('GenderChoice', 'Field', error && 'Field--bad')}>
      <div className="Field-top" aria-hidden="true">
        <span className="Field-legend">{registerText.fields.gender}</span>
      </div>
      <Segmented legend={registerText.fields.gender} value={value} onChange={onChange} options={options} />
      <div role="alert" className="Field-live">
        {error && (
          <p className="Field-error">
            <Icon name="alert" size={16} />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
}
