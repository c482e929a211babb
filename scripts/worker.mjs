/** `npm run worker`: apps/worker. */
import { runApp } from './run-app.mjs'

await runApp('worker')
