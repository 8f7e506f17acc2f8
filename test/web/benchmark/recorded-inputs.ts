import { createAgent } from '../../../agents/create-agent.js';
import type { InputTensor } from '../../../agents/evaluators/inference-session.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { openOnnxModel } from '../../../training/inference/onnx-session.js';

/** The inputs of one call of a session, for another process. */
export type RecordedInputs = Readonly<
  Record<
    string,
    {
      readonly type: 'float32' | 'int32';
      readonly shape: readonly number[];
      readonly data: readonly number[];
    }
  >
>;

/**
 * The inputs of a model's session in a search of the first position of Gess.
 *
 * @param leaves positions of a call, at most.
 */
export async function recordInputs(
  bytes: Uint8Array,
  leaves: number,
  simulations: number,
): Promise<readonly RecordedInputs[]> {
  const recorded: RecordedInputs[] = [];
  const game = createGame('gess');
  const agent = await createAgent(
    `mcts:model=recorded,leaves=${leaves},simulations=${simulations}`,
    game,
    async () => {
      const session = await openOnnxModel(bytes);
      const { source, inputs, outputs } = session;
      return {
        ...{ source, inputs, outputs },
        run: (tensors) => {
          recorded.push(copyOf(tensors));
          return session.run(tensors);
        },
        dispose: () => session.dispose(),
      };
    },
  );
  await agent.chooseAll([{ state: game.initialState(), rng: createRng(1) }]);
  await agent.dispose();
  return recorded;
}

function copyOf(tensors: Readonly<Record<string, InputTensor>>): RecordedInputs {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { data, shape }]) => [
      name,
      { type: data instanceof Float32Array ? 'float32' : 'int32', shape, data: [...data] },
    ]),
  );
}
