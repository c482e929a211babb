import type { Profile as ConformanceProfile } from '../../conformance-agent/profiles.js'
import type { ComposedProfileName } from './composed-profiles.js'

/** The servers of the suite: the conformance agent as anyone can start it, and others for what it does not declare. */
export type Profile = ConformanceProfile | ComposedProfileName
