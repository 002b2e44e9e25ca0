package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the JSON writer. Its output must be safe inside an HTML page. */
class JsonTest {

    @Test
    void objectsAndArraysCanBeNested() {
        Json json = new Json().object().field("a", 1).name("b").array();
        json.value("x").value(2.5).object().end().array().end().end();
        json.field("c", "y").name("d").object().field("e", -3).end();
        String text = json.end().toString();
        assertEquals("{\"a\":1,\"b\":[\"x\",2.5,{},[]],\"c\":\"y\",\"d\":{\"e\":-3}}", text);
        assertEquals(
                Map.of("a", 1.0, "b", List.of("x", 2.5, Map.of(), List.of()), "c", "y", "d", Map.of("e", -3.0)),
                JsonValue.read(text));
    }

    @Test
    void tagsAndControlCharactersAreEscaped() {
        StringBuilder all = new StringBuilder("\"},{\"</script><!--\\\u2028\u2029");
        for (char c = 0; c < 0x100; c++) {
            all.append(c);
        }
        String text = new Json().array().value(all.toString()).end().toString();
        assertEquals(List.of(all.toString()), JsonValue.read(text));
        assertFalse(text.contains("<"), text);
        assertFalse(text.contains("\n"), text);
        assertEquals(
                text.length(),
                text.codePoints().filter(c -> c >= ' ' && c != 0x7f).count());
    }

    @Test
    void theDoubleValueNanIsWrittenAsZero() {
        assertEquals("[0.0]", new Json().array().value(Double.NaN).end().toString());
    }

    @Test
    void toStringFailsForAnUnfinishedJsonText() {
        assertThrows(IllegalStateException.class, () -> new Json().object().toString());
    }
}
