/**
 * Ends the process once its output has been written. Without this, a process ends only when nothing is open, such as a
 * timer of a game module or a socket that no longer answers.
 */
export async function endProcess(exitCode: number): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      // Called after all earlier writes, and at once if the stream is closed.
      stream.write('', () => {
        resolve();
      });
    });
  }
  process.exit(exitCode);
}
