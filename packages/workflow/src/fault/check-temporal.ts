import type { TemporalOptions } from '../temporal-options.js'
import type { TemporalFault } from './temporal-fault.js'
import { TemporalProbe } from './temporal-probe.js'

/**
 * Asks Temporal once, for at most seven seconds, whether it takes this process: reachable, the namespace, the version, the credentials, TLS.
 * Undefined: everything is well. Never rejects for a fault of Temporal.
 * @throws TypeError that names the option of the connection which is wrong.
 */
export async function checkTemporal(options: TemporalOptions): Promise<TemporalFault | undefined> {
  const probe = new TemporalProbe(options)
  try {
    return await probe.check()
  } finally {
    await probe.close()
  }
}
