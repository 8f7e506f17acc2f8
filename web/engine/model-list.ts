import { AgentError } from '../../agents/agent-error.js';
import type { PlayOptions } from '../../agents/play-options.js';

/** A model that the page can play with. */
export interface ListedModel {
  /** Name of its file beside the list. */
  readonly file: string;
  readonly game: string;
  /** Canonical rules text. */
  readonly rules: string;
  /** Options of agents with which it plays best. */
  readonly play: PlayOptions;
}

/** @throws AgentError `model-missing`. */
async function fetchFile(folder: URL, name: string): Promise<Response> {
  const response = await fetch(new URL(name, folder)).catch((cause: unknown) => {
    throw new AgentError('model-missing', `expected the file ${name} of the page; it could not be loaded`, {
      cause,
    });
  });
  if (response.ok) return response;
  throw new AgentError(
    'model-missing',
    `expected the file ${name} of the page, got status ${response.status}`,
  );
}

/** The models of the page, by the folder that holds them. */
export class ModelList {
  private readonly folder: URL;
  private list: Promise<readonly ListedModel[]> | undefined;

  constructor(folder: URL) {
    this.folder = folder;
  }

  /**
   * All models; the list is loaded once.
   *
   * @throws AgentError `model-missing`.
   */
  all(): Promise<readonly ListedModel[]> {
    this.list ??= fetchFile(this.folder, 'models.json').then(
      async (response) => ((await response.json()) as { models: ListedModel[] }).models,
    );
    return this.list;
  }

  /**
   * The model for a game and its rules; undefined if there is none.
   *
   * @throws AgentError `model-missing`.
   */
  async find(game: string, rules: string): Promise<ListedModel | undefined> {
    return (await this.all()).find((model) => model.game === game && model.rules === rules);
  }

  /**
   * The bytes of a model.
   *
   * @throws AgentError `model-missing`.
   */
  async bytesOf(file: string): Promise<Uint8Array> {
    return new Uint8Array(await (await fetchFile(this.folder, file)).arrayBuffer());
  }
}
