/**
 * A watcher waits for the end of stdin, a pipe from the parent that ends when the parent does, however it ends; then it stops the program,
 * which has taken the shell's process id.
 */
const WATCHED = 'exec 3<&0; (cat <&3 >/dev/null 2>&1; kill -INT $$ 2>/dev/null) >/dev/null 2>&1 & exec "$0" "$@" </dev/null 3<&-'

/** What `/bin/sh` is to be given to run a program that gets SIGINT when the parent's end of its stdin is gone. */
export function watchedArguments(program: string, args: readonly string[]): readonly string[] {
  return ['-c', WATCHED, program, ...args]
}
