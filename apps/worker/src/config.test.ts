import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@moorage/bootstrap'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'
import { temporaryFolder } from './temporary-folder.js'

const cwd = '/work/somewhere'

describe('readConfig', () => {
  it('needs nothing to be set', async () => {
    expect(await readConfig({}, cwd)).toMatchObject({
      agentPaths: [],
      healthPort: undefined,
      dataDir: join(cwd, '.moorage'),
      temporal: { kind: 'embedded' },
      warnings: [],
    })
  })

  it('takes one agent module or several', async () => {
    const folder = await temporaryFolder()
    const paths = ['a.ts', 'b.ts'].map((name) => join(folder, name))
    for (const path of paths) await writeFile(path, '')
    expect((await readConfig({ MOORAGE_AGENT: 'a.ts' }, folder)).agentPaths).toEqual([paths[0]])
    expect((await readConfig({ MOORAGE_AGENT: 'a.ts, b.ts' }, folder)).agentPaths).toEqual(paths)
    const error = await readConfig({ MOORAGE_AGENT: 'a.ts,,b.ts' }, folder).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ faults: ['MOORAGE_AGENT must be paths with one comma between two of them; it is "a.ts,,b.ts"'] })
  })

  it('looks at HOST only where there is a health port', async () => {
    expect((await readConfig({ HOST: '192.0.2.1' }, cwd)).host).toBe('192.0.2.1')
    await expect(readConfig({ HOST: '192.0.2.1', MOORAGE_HEALTH_PORT: '0' }, cwd)).rejects.toThrow('HOST is 192.0.2.1, which is no address')
  })

  it('warns of a variable that does not exist, and not of what apps/agent reads', async () => {
    const env = { MOORAGE_WORKER: 'off', MOORAGE_BASE_URL: 'https://agent.example', MOORAGE_HEALTHPORT: '1' }
    expect((await readConfig(env, cwd)).warnings).toEqual(['MOORAGE_HEALTHPORT: without effect, since there is no such variable'])
  })
})
