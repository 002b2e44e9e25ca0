package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.exchange.Exchange;
import io.penstock.exchange.FakeExchange;
import io.penstock.http.FieldList;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Tests what a request that is run after a login has of the redirected request. */
final class RestoredExchangeTest {

    @Test
    void theIdentifiersInTheProtocolAreThoseOfTheRedirectedRequest() {
        FakeExchange fake = FakeExchange.of("GET /page");
        Exchange carrier = (Exchange) Proxy.newProxyInstance(
                Exchange.class.getClassLoader(),
                new Class<?>[] {Exchange.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "protocolRequestId" -> "17";
                    case "protocolConnectionId" -> "c5";
                    default -> method.invoke(fake, args);
                });
        SavedRequest saved = new SavedRequest("POST", "/page", new FieldList(), ByteBuffer.allocate(0));
        Exchange restored = new RestoredExchange(carrier, saved);
        assertEquals("POST", restored.head().method());
        assertEquals("17", restored.protocolRequestId());
        assertEquals("c5", restored.protocolConnectionId());
    }
}
