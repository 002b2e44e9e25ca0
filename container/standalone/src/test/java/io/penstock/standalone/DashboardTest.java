package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.path.json.JsonPath;
import java.io.File;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the Grafana dashboard. It must work with any data source and with any instances, and each panel must have an explanation. */
class DashboardTest {
    private static final int COLUMNS = 24;
    private static final String DATA_SOURCE = "${datasource}";

    private final JsonPath dashboard = JsonPath.from(new File("../../docs/grafana-dashboard.json"));
    private final List<Map<String, Object>> panels = dashboard.getList("panels.findAll{it.type != 'row'}");

    @Test
    void theDataSourceAndTheInstanceAreVariablesOfTheDashboard() {
        assertEquals(List.of("datasource", "instance"), dashboard.getList("templating.list.name"));
        assertEquals(List.of("datasource", "query"), dashboard.getList("templating.list.type"));
        Set<String> sources = new HashSet<>(dashboard.getList("panels.findAll{it.datasource}.datasource.uid"));
        sources.addAll(dashboard.getList("panels.findAll{it.targets}.targets.flatten().datasource.uid"));
        assertEquals(Set.of(DATA_SOURCE), sources);
        List<String> expressions = dashboard.getList("panels.findAll{it.targets}.targets.flatten().expr");
        for (String expression : expressions) {
            assertTrue(expression.contains("instance=~\"$instance\""), expression);
        }
    }

    @Test
    void eachPanelHasAUniqueTitleAndAnExplanationAndAUnit() {
        assertTrue(panels.size() > 20);
        Set<Object> titles = new HashSet<>();
        Set<Object> ids = new HashSet<>();
        for (Map<String, Object> panel : panels) {
            Object title = panel.get("title");
            assertTrue(titles.add(title), () -> title + " is the title of two panels");
            assertTrue(ids.add(panel.get("id")), () -> "this panel has the id of another panel: " + title);
            assertFalse(String.valueOf(panel.get("description")).length() < 10, () -> "no description: " + title);
            Map<?, ?> config = (Map<?, ?>) panel.get("fieldConfig");
            assertNotNull(((Map<?, ?>) config.get("defaults")).get("unit"), () -> "no unit: " + title);
        }
    }

    @Test
    void panelsFitIntoTheColumnsAndDoNotOverlap() {
        Set<List<Integer>> taken = new HashSet<>();
        List<Map<String, Integer>> places = dashboard.getList("panels.gridPos");
        for (Map<String, Integer> place : places) {
            assertTrue(place.get("x") + place.get("w") <= COLUMNS, () -> "the panel is too wide: " + place);
            for (int x = place.get("x"); x < place.get("x") + place.get("w"); x++) {
                for (int y = place.get("y"); y < place.get("y") + place.get("h"); y++) {
                    assertTrue(taken.add(List.of(x, y)), () -> "the panel overlaps another panel: " + place);
                }
            }
        }
    }
}
