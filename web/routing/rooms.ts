/** Rooms that few visitors enter first; they are loaded together when one of them is entered. */
export { default as AnalysisRoom } from '../rooms/analysis/AnalysisRoom.svelte';
export { default as LearnRoom } from '../rooms/learn/LearnRoom.svelte';
export { loadLessons } from '../rooms/learn/lesson-list.js';
export { default as ProblemsRoom } from '../rooms/problems/ProblemsRoom.svelte';
/** The laboratory is a separate file: most visitors never enter it. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the type of the module.
export const loadLaboratory = () => import('../rooms/laboratory/LaboratoryRoom.svelte');
export { loadProblems } from '../rooms/problems/problem-list.js';
export { default as ShareDialog } from '../share/ShareDialog.svelte';
