package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptTest {

    @Test
    void typesAreInLowerCaseAndWithoutParametersAndARefusedTypeIsLeftOut() {
        List<String> lines =
                List.of("Text/HTML;level=1;q=0.4, application/json;q=0", "*/*; q=0.000, image/*,,text/plain");
        assertEquals(List.of("text/html", "image/*", "text/plain"), Accept.types(lines));
        assertEquals(List.of(), Accept.types(List.of()));
    }
}
