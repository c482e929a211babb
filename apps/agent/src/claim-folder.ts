import { ConfigError, type Teardown } from '@moorage/bootstrap'
import { claimDataFolder, type DataFolderClaim, DataFolderTakenError } from '@moorage/engine'

/**
 * Claims the data folder until the teardown.
 * @throws DataFolderTakenError where another process has it, ConfigError where it cannot be used
 */
export async function claimFolder(dataDir: string, teardown: Teardown): Promise<DataFolderClaim> {
  try {
    const folder = await claimDataFolder(dataDir)
    teardown.add('data folder', () => folder.release())
    return folder
  } catch (error) {
    if (error instanceof DataFolderTakenError || !(error instanceof Error)) throw error
    const message = `MOORAGE_DATA_DIR is ${dataDir}, which cannot be used: ${error.message}. Name a folder in which this process may write`
    throw new ConfigError([message], { cause: error })
  }
}
