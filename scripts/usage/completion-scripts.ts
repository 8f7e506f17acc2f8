import type { CompletedCommand, CompletedOption } from './completed-commands.js';
import { quotedWord } from '../text/shell-word.js';

/** The shells that commands are completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell of `SHELLS`. */
export type Shell = (typeof SHELLS)[number];

/** The first clause of a description, for a list of candidates. */
function brief(text: string): string {
  return text.split(/[;(]|:(?!\/\/)/)[0]!.trim();
}

function pathOf({ path }: CompletedCommand): string {
  return path.join(' ');
}

/** All words that may follow a command. */
function wordsOf({ commands, options, values }: CompletedCommand): readonly string[] {
  return [...commands.map(({ name }) => name), ...values, ...options.map(({ flag }) => flag)];
}

/** The branches of a `case` that finds values, by `PATH FLAG`. */
function valueCases(all: readonly CompletedCommand[], branch: (option: CompletedOption) => string): string {
  return all
    .flatMap((command) =>
      command.options
        .filter(({ hasValue }) => hasValue)
        .map((option) => `    ${quotedWord(`${pathOf(command)} ${option.flag}`)}) ${branch(option)} ;;`),
    )
    .join('\n');
}

/** The branches of a `case` that finds the words after a path. */
function wordCases(all: readonly CompletedCommand[]): string {
  return all
    .map((each) => `    ${quotedWord(pathOf(each))}) words=${quotedWord(wordsOf(each).join(' '))} ;;`)
    .join('\n');
}

/** The paths as the pattern of one branch. */
function pathPattern(all: readonly CompletedCommand[]): string {
  return all
    .filter(({ path }) => path.length > 0)
    .map((each) => quotedWord(pathOf(each)))
    .join('|');
}

function bashScript(all: readonly CompletedCommand[]): string {
  return `# Completion of gess in bash, made by gess completion bash.
_gess() {
  local cur prev path='' candidate word words='' values='' i
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  # Bash makes three words of --name=value.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    candidate="\${path:+$path }\${COMP_WORDS[i]}"
    case "$candidate" in
    ${pathPattern(all)}) path=$candidate ;;
    esac
  done
  case "$path $prev" in
${valueCases(all, ({ values }) => (values.length === 0 ? 'COMPREPLY=(); return' : `values=${quotedWord(values.join(' '))}`))}
  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
    return
  fi
  case "$path" in
${wordCases(all)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _gess gess`;
}

function zshScript(all: readonly CompletedCommand[]): string {
  return `#compdef gess
# Completion of gess in zsh, made by gess completion zsh.
_gess() {
  local path_='' candidate words_='' values_='' i
  local prev=\${words[CURRENT-1]}
  if [[ \${words[CURRENT]} == --*=* ]]; then prev=\${words[CURRENT]%%=*}; compset -P '*='; fi
  for ((i = 2; i < CURRENT; i++)); do
    candidate="\${path_:+$path_ }\${words[i]}"
    case "$candidate" in
    ${pathPattern(all)}) path_=$candidate ;;
    esac
  done
  case "$path_ $prev" in
${valueCases(all, ({ values }) => (values.length === 0 ? '_files; return' : `values_=${quotedWord(values.join(' '))}`))}
  esac
  if [[ -n $values_ ]]; then
    compadd -- \${=values_}
    return
  fi
  case "$path_" in
${wordCases(all).replaceAll(') words=', ') words_=')}
  esac
  compadd -- \${=words_}
  _files
}
if [[ $funcstack[1] == _gess ]]; then _gess "$@"; else compdef _gess gess; fi`;
}

/** The condition that the words before the cursor call a command, and none of its sub-commands. */
function fishCondition({ path, commands }: CompletedCommand): string {
  if (path.length === 0) return '__fish_use_subcommand';
  const called = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = commands.map(({ name }) => name).join(' ');
  return [...called, ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`])].join('; and ');
}

function fishOption({ flag, hasValue, values, description }: CompletedOption): string {
  const value = values.length > 0 ? ` -x -a ${quotedWord(values.join(' '))}` : hasValue ? ' -r' : '';
  return `-l ${flag.slice(2)}${value} -d ${quotedWord(brief(description))}`;
}

function fishScript(all: readonly CompletedCommand[]): string {
  const lines = all.flatMap((command) => {
    const condition = quotedWord(fishCondition(command));
    const start = `complete -c gess -n ${condition}`;
    const own =
      command.path.length === 0 ? command.options : command.options.filter(({ flag }) => flag !== '--help');
    return [
      ...command.commands.map(
        ({ name, description }) => `${start} -f -a ${quotedWord(name)} -d ${quotedWord(brief(description))}`,
      ),
      ...(command.values.length === 0 ? [] : [`${start} -f -a ${quotedWord(command.values.join(' '))}`]),
      ...own.map((option) => `${start} ${fishOption(option)}`),
    ];
  });
  return ['# Completion of gess in fish, made by gess completion fish.', ...lines].join('\n');
}

/** The script of each shell. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, (all: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
