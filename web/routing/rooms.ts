/** Rooms that few visitors enter first; they are loaded together when one of them is entered. */
export { default as AnalysisRoom } from '../analysis/AnalysisRoom.svelte';
export { default as LearnRoom } from '../learn/LearnRoom.svelte';
export { loadLessons } from '../learn/lesson-list.js';
export { default as ProblemsRoom } from '../problems/ProblemsRoom.svelte';
/** The laboratory is a separate file: most visitors never enter it. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the type of the module.
export const loadLaboratory = () => import('../laboratory/LaboratoryRoom.svelte');
export { loadProblems } from '../problems/problem-list.js';
export { default as ShareDialog } from '../share/ShareDialog.svelte';
