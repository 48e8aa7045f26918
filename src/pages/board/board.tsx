import { startPage } from "../start-page.tsx";
import { BoardPage } from "./board-page.tsx";

startPage("Board", BoardPage);
