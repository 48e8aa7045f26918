import { startPage } from "../start-page.tsx";
import { InspectPage } from "./inspect-page.tsx";

startPage("Inspector", InspectPage);
