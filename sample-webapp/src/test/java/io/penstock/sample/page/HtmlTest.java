package io.penstock.sample.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HtmlTest {

    @Test
    void insertedTextIsEscaped() {
        assertEquals(
                "<p title=\"&quot;&#39;\">&lt;b&gt; 7 &amp;</p>",
                Html.of("<p title=\"%s\">%s %s %s</p>", "\"'", "<b>", 7, "&").markup());
    }

    @Test
    void insertedMarkupIsUnchanged() {
        assertEquals(
                "<p><b>a</b></p>", Html.of("<p>%s</p>", new Html("<b>a</b>")).markup());
    }

    @Test
    void percentSignsInInsertedTextAreNotPlaceholders() {
        assertEquals("100%s", Html.of("%s", "100%s").markup());
    }

    @Test
    void piecesOfMarkupAreJoinedWithLineBreaks() {
        assertEquals(
                "a\n&lt;",
                Stream.of("a", "<")
                        .map(text -> Html.of("%s", text))
                        .collect(Html.joining())
                        .markup());
    }
}
