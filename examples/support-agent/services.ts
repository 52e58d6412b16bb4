import { join } from 'node:path';
import { type DeskService, startDeskService } from './desk-service.ts';

/** Starts what the flow needs beside Pawl, and says where it is: `env` is for workers. */
export async function startServices() {
  const desk: DeskService = await startDeskService();
  return {
    env: {
      PAWL_TOOLS: join(import.meta.dirname, 'tools.ts'),
      PAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${desk.port}`,
      DESK_URL: desk.url,
    },
    words: [`desk       ${desk.url}`],
    desk,
    stop: () => desk.close(),
  };
}
