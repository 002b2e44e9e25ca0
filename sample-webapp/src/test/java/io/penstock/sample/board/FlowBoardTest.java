package io.penstock.sample.board;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the link of the sample to the flow board, which is the page of the server's admin port. */
class FlowBoardTest {

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9090/, 127.0.0.1, http://127.0.0.1:9090/",
        "https://[0:0:0:0:0:0:0:1]:9090/, ::1, https://[0:0:0:0:0:0:0:1]:9090/",
        "http://127.0.0.1:9090/, 0:0:0:0:0:0:0:1, http://127.0.0.1:9090/",
        "http://127.0.0.1:9090/, 192.0.2.7, ''",
        "http://127.0.0.1:9090/, 127.example.org, ''",
        "http://0.0.0.0:9090/, 192.0.2.7, http://localhost:9090/",
        "https://[0:0:0:0:0:0:0:0]:9090/, ::1, https://localhost:9090/",
        "http://192.0.2.1:9090/, 192.0.2.7, ''",
        "http://192.0.2.1:9090/, 127.0.0.1, http://192.0.2.1:9090/",
        "'', 127.0.0.1, ''",
    })
    void theUrlIsReturnedOnlyIfTheClientCanReachTheBoard(String board, String client, String url) throws IOException {
        assertEquals(url, new FlowBoard(board).urlFor(client));
    }

    @Test
    void theFlowBoardHasNoUrlInAnotherServletContainer() throws IOException {
        assertEquals("", FlowBoard.ofThisServer().urlFor("127.0.0.1"));
    }
}
