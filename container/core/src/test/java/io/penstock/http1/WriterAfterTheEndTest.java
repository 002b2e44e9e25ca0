package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A failed connection ends its exchange, even if a thread of the application still writes the response. */
final class WriterAfterTheEndTest {

    @Test
    void aWriteAfterTheEndOfTheExchangeFailsAndDoesNotUseTheDisk() throws Exception {
        try (LoneResponse lone = new LoneResponse()) {
            Http1Response response = lone.response;
            response.head(new ResponseHead(200, Fields.EMPTY, -1));
            response.write(lone.segment("the client takes nothing"), false);
            response.close();
            assertThrows(IOException.class, () -> response.write(lone.buffer("late"), false));
            response.close();
        }
    }
}
