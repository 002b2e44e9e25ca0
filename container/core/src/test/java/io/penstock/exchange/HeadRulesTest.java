package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.address.Network;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import io.penstock.http1.WireConfig;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.pipe.SegmentPool;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the decision on the head of a request, and the response if no application gets the request, without a protocol. */
final class HeadRulesTest {
    private static final Admission.Admitted ADMITTED =
            new Admission.Admitted("route", Admission.Mode.BUFFERED, 100, new SpoolHistory(), null, 0);

    private final TestResources resources = new TestResources(new SegmentPool(1024, 20 * 1024), new WireConfig());
    private final FakeStream stream = new FakeStream(resources.resources(), new SimulatedLink());

    @AfterEach
    void close() throws Exception {
        resources.close();
    }

    private static RequestHead head(String method) {
        return new RequestHead(method, RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
    }

    private HeadRules rules(Admission admission) {
        return new HeadRules(resources.resources(), admission, HeadRules.Hosts.ANY);
    }

    @Test
    void theAddressOfTheClientThatAProxyNamesCountsInPlaceOfTheProxy() throws Exception {
        AddressLimits usual = ServerConfig.defaults().addresses();
        resources
                .resources()
                .replaceRules(
                        new AddressLimits(
                                List.of(Network.parse("192.0.2.0/24")), List.of(), 0, usual.burst(), usual.kept(), 0),
                        null,
                        null);
        HeadRules rules = rules(head -> ADMITTED);
        RequestHead head = head("GET");
        Peer client = stream.peer().proxyFor(new InetSocketAddress("192.0.2.7", 1), true);
        assertEquals(new Admission.Limited(Key.ALLOWED_ADDRESSES, Fields.EMPTY), rules.decide(stream, head, null, 0));
        long refused =
                resources.counters.value(Key.ALLOWED_ADDRESSES.consequence().counter());
        assertEquals(1, refused);
        assertEquals(ADMITTED, rules.decide(stream, head, new ForwardedRequests.Forwarded(head, client), 0));
    }

    @Test
    void aDeclaredLengthAboveTheLimitIsAViolation() throws Exception {
        HeadRules rules = rules(head -> ADMITTED);
        assertEquals(ADMITTED, rules.decide(stream, head("POST"), null, 100));
        assertEquals(ADMITTED, rules.decide(stream, head("POST"), null, -1));
        Violation violation = assertThrows(Violation.class, () -> rules.decide(stream, head("POST"), null, 101));
        assertEquals(Key.BODY_LIMIT, violation.limit());
    }

    @Test
    void aRequestThatNoApplicationGetsHasACannedResponse() throws Exception {
        HeadRules rules = rules(head -> new Admission.Refused(404, Fields.EMPTY));
        Admission.Canned refused = assertInstanceOf(Admission.Canned.class, rules.decide(stream, head("GET"), null, 0));
        assertTrue(refused.isRefusal());
        assertEquals("admission", refused.reason());
        CannedResponse answer = new CannedResponse(refused, head("GET"));
        assertEquals(404, answer.status());
        assertEquals("404 Not Found\n", new String(answer.line(), StandardCharsets.US_ASCII));
        assertTrue(answer.sendsBody());
        assertFalse(new CannedResponse(refused, head("HEAD")).sendsBody());
        assertFalse(new CannedResponse(304, Fields.EMPTY, head("GET")).sendsBody());
    }
}
