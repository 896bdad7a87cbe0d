// The dialog that explains the page, which is a chunk.

import { lazy } from "./lazy.tsx";

export const Help = lazy(() => import("./help.tsx").then((m) => m.Help));
