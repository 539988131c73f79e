/** The goals area's calls. A movement changes the available balance. */
import { goalsApi } from '#contract/goals.ts';
import { areaApi } from '#web/base/api.ts';

const goalsClient = areaApi(goalsApi, {
  listGoals: { provides: ['Goals', 'Money'] },
  goalMovements: { provides: ['Goals', 'Money'] },
  addGoal: { invalidates: ['Goals'] },
  changeGoal: { invalidates: ['Goals'], ifOutOfDate: ['Goals', 'Money'] },
  removeGoal: { invalidates: ['Goals', 'Money'], ifOutOfDate: ['Goals', 'Money'] },
  moveGoal: { invalidates: ['Goals', 'Money'], ifOutOfDate: ['Goals', 'Money'] },
});

export const {
  useListGoalsQuery,
  useGoalMovementsQuery,
  useAddGoalMutation,
  useChangeGoalMutation,
  useRemoveGoalMutation,
  useMoveGoalMutation,
} = goalsClient;
