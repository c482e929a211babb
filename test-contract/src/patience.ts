/**
 * How long a test waits for something that passes through other processes, in milliseconds. It only ends a test that would hang, so it is
 * generous: a busy machine may be ten times slower than this one.
 */
export const PATIENCE_MS = 150_000
