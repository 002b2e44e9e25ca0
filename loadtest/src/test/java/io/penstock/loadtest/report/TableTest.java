package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.loadtest.report.Table.Column;
import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table(Column.text("server"), Column.number("p99 (ms)", 2), Column.count("errors"))
            .add("penstock", 1.234, 0)
            .add("the \"other\", | or so", 12345.6, 17L)
            .add("unmeasured", Double.NaN, null);

    @Test
    void theTextFormatAlignsTheColumns() {
        assertEquals("""
                server                p99 (ms)  errors
                penstock                  1.23       0
                the "other", | or so  12345.60      17
                unmeasured                   -       -
                """, table.text());
    }

    @Test
    void theMarkdownFormatEscapesVerticalBars() {
        assertEquals("""
                | server | p99 (ms) | errors |
                | --- | ---: | ---: |
                | penstock | 1.23 | 0 |
                | the "other", \\| or so | 12345.60 | 17 |
                | unmeasured | - | - |
                """, table.markdown());
    }

    @Test
    void theCsvFormatQuotesCellsWithSpecialCharacters() {
        assertEquals("""
                server,p99 (ms),errors
                penstock,1.23,0
                "the ""other"", | or so",12345.60,17
                unmeasured,,
                """, table.csv());
    }

    @Test
    void aRowWithTheWrongNumberOfCellsIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> table.add("one"));
    }
}
