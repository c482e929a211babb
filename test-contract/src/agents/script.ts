import { z } from 'zod'

/** What a test tells the scripted agent to do, step by step, in the first data part of a message. */
export const scriptSchema = z.array(
  z.union([
    /** Numbered chunks "1 ", "2 " … to the artifact `numbers`. */
    z.strictObject({ chunks: z.number(), everyMs: z.number() }),
    /** Inside `turn.step`, adds a line with the step's key to a file outside the store. */
    z.strictObject({ count: z.string() }),
    /** Writes the id of the process that runs the turn to a file. */
    z.strictObject({ writePid: z.string() }),
    /** Makes a file, to tell the test that the turn is here. */
    z.strictObject({ touch: z.string() }),
    /** Waits until the test makes the file. */
    z.strictObject({ await: z.string() }),
    /** From here on, the script does not look at `turn.signal`. */
    z.strictObject({ ignoreAbort: z.literal(true) }),
    z.strictObject({ throw: z.string() }),
    /** Leaves a promise behind that fails. */
    z.strictObject({ stray: z.string() }),
    z.strictObject({ ask: z.string() }),
    z.strictObject({ complete: z.string() }),
  ]),
)

export type Script = z.infer<typeof scriptSchema>
