/** The home page, from the meadow to the letter box: hero, four figures, why, where money can go, what the bank does, how to write. */
import { HomeHero } from './HomeHero.tsx';
import { ReachSection } from './ReachSection.tsx';
import { ServicesSection } from './ServicesSection.tsx';
import { WhySection } from './WhySection.tsx';
import { WriteSection } from './WriteSection.tsx';
import './site.css';

export function HomeScreen() {
  return (
    <div className="Site">
      <HomeHero />
      <WhySection />
      <ReachSection />
      <ServicesSection />
      <WriteSection />
    </div>
  );
}
