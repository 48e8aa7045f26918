import { startPage } from "../session/signed-in.tsx";
import { BoardPage } from "./board-page.tsx";

startPage("Board", BoardPage);
