package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the lists of works. A {@link Work} is the task of a server in one measurement. */
class WorkTest {
    @Test
    void everyWorkHasARowAndEveryRowHasAWork() {
        for (Sheet sheet : Sheet.values()) {
            List<String> works =
                    sheet.works(Work.Size.FULL).stream().map(Work::id).toList();
            assertEquals(works, sheet.rows().stream().map(Row::work).distinct().toList());
        }
    }

    @Test
    void aSmokeRunHasTheSameWorksAsAFullRunButWithFewConnections() {
        for (Sheet sheet : Sheet.values()) {
            List<Work> small = sheet.works(Work.Size.SMOKE);
            assertEquals(
                    sheet.works(Work.Size.FULL).stream().map(Work::id).toList(),
                    small.stream().map(Work::id).toList());
            assertTrue(small.stream().allMatch(work -> work.connections() <= 80));
        }
    }
}
