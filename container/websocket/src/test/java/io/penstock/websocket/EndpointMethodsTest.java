package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Decoder;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Encoder;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSocket 2.2 sections 4.3 to 4.8: which methods an annotated endpoint may have. */
@SuppressWarnings("unused") // the methods are found by reflection
class EndpointMethodsTest {

    private static void deploy(Class<?> type) throws DeploymentException {
        EndpointDefinition.of(EndpointDefinition.serverConfig(type), "/");
    }

    // ---- allowed

    /** A number in a text message. */
    public static final class NumberCoder implements Decoder.Text<BigDecimal>, Encoder.Text<BigDecimal> {
        @Override
        public void init(EndpointConfig config) {}

        @Override
        public void destroy() {}

        @Override
        public BigDecimal decode(String text) {
            return new BigDecimal(text);
        }

        @Override
        public boolean willDecode(String text) {
            return true;
        }

        @Override
        public String encode(BigDecimal number) {
            return number.toPlainString();
        }
    }

    @ServerEndpoint("/{a}/{b}")
    public static class AllParameters {
        @OnOpen
        public void open(@PathParam("a") String a, EndpointConfig config, Session session, @PathParam("b") int b) {}

        @OnMessage
        public long text(boolean last, Session session, String part, @PathParam("a") Character a) {
            return 1;
        }

        @OnMessage
        public byte[] binary(InputStream bytes) {
            return null;
        }

        @OnMessage
        public void pong(PongMessage pong, Session session) {}

        @OnClose
        public void close(CloseReason reason, Session session, @PathParam("none") Double none) {}

        @OnError
        public void error(Throwable failure, Session session, @PathParam("b") short b) {}
    }

    @ServerEndpoint(value = "/coded", decoders = NumberCoder.class, encoders = NumberCoder.class)
    public static class Coded {
        @OnMessage
        public BigDecimal number(BigDecimal number) {
            return number;
        }

        @OnMessage
        public void bytes(boolean last, byte[] part) {}
    }

    @ServerEndpoint("/inherits")
    public static class Inherits extends AllParameters {
        @Override // without an annotation, the method is none of the endpoint's
        public void pong(PongMessage pong, Session session) {}

        @OnMessage
        public void other(PongMessage pong) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {AllParameters.class, Coded.class, Inherits.class})
    void allParametersAreAllowedInAnyOrder(Class<?> type) {
        assertDoesNotThrow(() -> deploy(type));
    }

    // ---- refused

    @ServerEndpoint("/")
    public static class TwoTexts {
        @OnMessage
        public void one(String text) {}

        @OnMessage
        public void two(int number) {}
    }

    @ServerEndpoint("/")
    public static class TwoInherited extends AllParameters {
        @OnMessage
        public void other(ByteBuffer bytes) {}
    }

    @ServerEndpoint("/")
    public static class TwoOpens {
        @OnOpen
        public void one() {}

        @OnOpen
        public void two(Session session) {}
    }

    @ServerEndpoint("/")
    public static class OpenWithReason {
        @OnOpen
        public void open(Session session, CloseReason reason) {}
    }

    @ServerEndpoint("/")
    public static class CloseWithException {
        @OnClose
        public void close(Session session, Exception failure) {}
    }

    @ServerEndpoint("/")
    public static class ErrorWithoutThrowable {
        @OnError
        public void error(Session session) {}
    }

    @ServerEndpoint("/")
    public static class TwoSessions {
        @OnMessage
        public void text(String text, Session one, Session two) {}
    }

    @ServerEndpoint("/")
    public static class NoMessage {
        @OnMessage
        public void nothing(Session session) {}
    }

    @ServerEndpoint("/")
    public static class TextAndNumber {
        @OnMessage
        public void text(String text, int number) {}
    }

    @ServerEndpoint("/")
    public static class TwoBooleans {
        @OnMessage
        public void text(boolean text, boolean last) {}
    }

    @ServerEndpoint("/")
    public static class ReaderInParts {
        @OnMessage
        public void text(Reader text, boolean last) {}
    }

    @ServerEndpoint("/")
    public static class PongInParts {
        @OnMessage
        public void pong(PongMessage pong, boolean last) {}
    }

    @ServerEndpoint("/")
    public static class NoDecoder {
        @OnMessage
        public void number(BigDecimal number) {}
    }

    @ServerEndpoint("/")
    public static class NoEncoder {
        @OnMessage
        public BigDecimal number(String text) {
            return null;
        }
    }

    @ServerEndpoint("/{a}")
    public static class PathOfOtherType {
        @OnMessage
        public void text(String text, @PathParam("a") BigDecimal a) {}
    }

    @ServerEndpoint("/")
    public static class TooLarge {
        @OnMessage(maxMessageSize = 1L << 31)
        public void text(String text) {}
    }

    @ServerEndpoint("/")
    public static class Hidden {
        @OnMessage
        void text(String text) {}
    }

    @ServerEndpoint("no-slash")
    public static class NoSlash {}

    @ServerEndpoint("/")
    public abstract static class Abstract {}

    public static class NotAnnotated extends AllParameters {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                TwoTexts.class,
                TwoInherited.class,
                TwoOpens.class,
                OpenWithReason.class,
                CloseWithException.class,
                ErrorWithoutThrowable.class,
                TwoSessions.class,
                NoMessage.class,
                TextAndNumber.class,
                TwoBooleans.class,
                ReaderInParts.class,
                PongInParts.class,
                NoDecoder.class,
                NoEncoder.class,
                PathOfOtherType.class,
                TooLarge.class,
                Hidden.class,
                NoSlash.class,
                Abstract.class,
                NotAnnotated.class
            })
    void anEndpointThatBreaksARuleIsRefusedWithItsName(Class<?> type) {
        DeploymentException refused = assertThrows(DeploymentException.class, () -> deploy(type));
        assertTrue(refused.getMessage().contains(type.getName()), refused.getMessage());
    }

    // ---- what types mean

    private static class Base<A, B> {}

    private abstract static class Middle<B> extends Base<String, B> implements Decoder.Text<B> {}

    private abstract static class Concrete extends Middle<byte[]> {}

    @Test
    void theTypeOfADecoderIsFoundThroughSuperclasses() {
        assertTrue(TypeArguments.of(Concrete.class, Decoder.Text.class) == byte[].class);
        assertTrue(TypeArguments.of(Concrete.class, Decoder.Binary.class) == null);
        assertTrue(TypeArguments.of(Middle.class, Decoder.Text.class) == null);
    }
}
