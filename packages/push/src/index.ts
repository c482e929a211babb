/**
 * Push notification configs (A2A §4.3.1): checked, and their secrets encrypted before any store sees them. Runs on Fetch and WebCrypto.
 * @module
 */
export { checkPushConfig } from './check-push-config.js'
export { createPushKeyRing, type PushKey, type PushKeyRing } from './key-ring.js'
export { PushError, type PushErrorCode } from './push-error.js'
export { openPushConfig, type PushConfigStore, type StoredPushConfig, sealPushConfig, showPushConfig } from './stored-push-config.js'
