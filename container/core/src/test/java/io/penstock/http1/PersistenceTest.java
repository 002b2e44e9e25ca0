package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.events.CloseCause;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which causes close a connection after a response (RFC 9112 section 9.3). Each table has a line for each cause, and lines for
 * several causes at once.
 */
final class PersistenceTest {

    private static RequestHead request(Version version, String connection) {
        return new RequestHead("GET", RequestTarget.origin("/"), version, connection(connection));
    }

    private static Fields connection(String options) {
        FieldList fields = new FieldList();
        if (!options.isEmpty()) {
            fields.add("Connection", options);
        }
        return fields;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HTTP_1_1 | ''                 | ''         | true  | true  | false |
            HTTP_1_1 | keep-alive         | ''         | true  | true  | false |
            HTTP_1_1 | ''                 | keep-alive | true  | true  | false |
            HTTP_1_1 | close              | ''         | true  | true  | false | REQUEST_CLOSE
            HTTP_1_1 | 'keep-alive, CLOSE'| ''         | true  | true  | false | REQUEST_CLOSE
            HTTP_1_0 | ''                 | ''         | true  | true  | false | REQUEST_CLOSE
            HTTP_1_0 | close              | ''         | true  | true  | false | REQUEST_CLOSE
            HTTP_1_0 | 'close, keep-alive'| ''         | true  | true  | false | REQUEST_CLOSE
            HTTP_1_0 | Keep-Alive         | ''         | true  | true  | false |
            HTTP_1_0 | keep-alive         | ''         | false | true  | false | CLOSE_DELIMITED
            HTTP_1_1 | ''                 | close      | true  | true  | false | RESPONSE_CLOSE
            HTTP_1_1 | ''                 | ''         | false | true  | false | CLOSE_DELIMITED
            HTTP_1_1 | ''                 | ''         | true  | false | false | BODY_UNREAD
            HTTP_1_1 | ''                 | ''         | true  | true  | true  | SERVER_STOPPING
            HTTP_1_1 | close              | close      | true  | true  | false | REQUEST_CLOSE
            HTTP_1_1 | ''                 | close      | false | true  | false | RESPONSE_CLOSE
            HTTP_1_1 | ''                 | ''         | false | false | false | CLOSE_DELIMITED
            HTTP_1_1 | ''                 | ''         | true  | false | true  | BODY_UNREAD
            HTTP_1_1 | close              | close      | false | false | true  | REQUEST_CLOSE
            """)
    void theCloseCauseForAResponseOfAnApplicationIsAsInTheTable(
            Version version,
            String requestOptions,
            String responseOptions,
            boolean selfDelimited,
            boolean bodyComplete,
            boolean stopping,
            @Nullable CloseCause expected) {
        ResponseHead response = new ResponseHead(200, connection(responseOptions), -1);
        assertEquals(
                expected,
                Http1Response.endsWith(
                        request(version, requestOptions), response, selfDelimited, bodyComplete, stopping));
    }

    /**
     * A canned response is a prepared response of the server itself. It has no {@code Connection: keep-alive}, so it never keeps an
     * HTTP/1.0 connection open.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HTTP_1_1 | ''         | true  | false |
            HTTP_1_1 | close      | true  | false | REQUEST_CLOSE
            HTTP_1_0 | ''         | true  | false | REQUEST_CLOSE
            HTTP_1_0 | keep-alive | true  | false | REQUEST_CLOSE
            HTTP_1_1 | ''         | false | false | BODY_UNREAD
            HTTP_1_1 | ''         | true  | true  | SERVER_STOPPING
            HTTP_1_1 | close      | false | true  | REQUEST_CLOSE
            HTTP_1_1 | ''         | false | true  | BODY_UNREAD
            """)
    void theCloseCauseForACannedResponseIsAsInTheTable(
            Version version,
            String requestOptions,
            boolean bodyComplete,
            boolean stopping,
            @Nullable CloseCause expected) {
        assertEquals(expected, Http1Response.endsWithCanned(request(version, requestOptions), bodyComplete, stopping));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                           | true  | true  |
                           | true  | false | BODY_UNREAD
                           | false | true  | RESPONSE_INCOMPLETE
                           | false | false | RESPONSE_INCOMPLETE
            REQUEST_CLOSE  | true  | true  | REQUEST_CLOSE
            REQUEST_CLOSE  | true  | false | REQUEST_CLOSE
            REQUEST_CLOSE  | false | true  | RESPONSE_INCOMPLETE
            """)
    void theCloseCauseAtTheEndOfAResponseIsAsInTheTable(
            @Nullable CloseCause causeOfHead,
            boolean responseComplete,
            boolean bodyComplete,
            @Nullable CloseCause expected) {
        assertEquals(expected, Http1Response.endsAfter(causeOfHead, responseComplete, bodyComplete));
    }
}
