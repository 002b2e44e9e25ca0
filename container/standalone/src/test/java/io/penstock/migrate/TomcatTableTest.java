package io.penstock.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.ApplicationKey;
import io.penstock.limits.Key;
import io.penstock.migrate.TomcatTable.Answer;
import io.penstock.migrate.TomcatTable.Sign;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Tests that the table of Tomcat's elements and attributes is free of contradictions, and names only keys that exist. */
class TomcatTableTest {
    private static final Map<String, List<Map.Entry<String, Answer>>> ANSWERS = TomcatTable.TABLE.answers();

    /** Names of files that are no elements. Their lines have no line for the file itself. */
    private static final Set<String> FILES = Set.of("catalina.properties", "setenv.sh", "web.xml");

    private static void forEach(Sign sign, BiConsumer<String, String> check) {
        ANSWERS.forEach((kind, answers) -> answers.stream()
                .filter(answer -> answer.getValue().sign() == sign)
                .forEach(answer -> check.accept(
                        kind + " " + answer.getKey(), answer.getValue().text())));
    }

    @Test
    void noAttributeOfAnElementHasTwoLines() {
        ANSWERS.forEach((kind, answers) -> {
            Set<String> names = new HashSet<>();
            answers.forEach(answer -> assertTrue(names.add(answer.getKey()), kind + " " + answer.getKey()));
        });
    }

    @Test
    void eachElementHasALineForItself() {
        ANSWERS.forEach((kind, answers) -> assertTrue(
                FILES.contains(kind)
                        || answers.stream().anyMatch(answer -> answer.getKey().equals(TomcatTable.ITSELF)),
                kind));
    }

    @Test
    void eachNamedKeyExistsAndEachTypeConverts() {
        forEach(Sign.KEY, (name, text) -> {
            assertTrue(Key.named(text.split(" ")[0]).isPresent(), name);
            assertNotNull(Values.convert(text.split(" ")[1], "5"), name);
        });
        forEach(Sign.KEY_OF_APPLICATION, (name, text) -> {
            String key = text.split(" ")[0];
            assertTrue(
                    Arrays.stream(ApplicationKey.values())
                            .anyMatch(known -> known.id().equals(key)),
                    name);
            assertNotNull(Values.convert(text.split(" ")[1], "5"), name);
        });
    }

    @Test
    void eachAnswerThatDependsOnTheValueHasBothReasons() {
        forEach(Sign.DEPENDS, (name, text) -> assertEquals(3, text.split("\\|").length, name));
    }

    @Test
    void eachAnswerHasAReason() {
        for (Sign sign : Sign.values()) {
            forEach(sign, (name, text) -> assertTrue(!text.isBlank(), name));
        }
    }

    @Test
    void aClassOfTomcatThatTheTableDoesNotHaveIsUnknownAndAnOwnClassIsNotPossible() {
        assertNull(TomcatTable.TABLE.element("Valve:NewValve", "org.apache.catalina.valves.NewValve"));
        Answer own = TomcatTable.TABLE.element("Valve:OwnValve", "com.example.OwnValve");
        assertNotNull(own);
        assertEquals(Sign.NOT_POSSIBLE, own.sign());
    }
}
