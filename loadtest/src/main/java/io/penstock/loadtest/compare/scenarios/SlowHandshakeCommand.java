package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import io.penstock.loadtest.peers.Server;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code compare slow-handshake} and its options. */
@Command(
        name = "slow-handshake",
        description = {
            "Measures normal requests over TLS while some slow clients do not finish their handshake, and"
                    + " others read slowly.",
            "In half of the handshakes the client sends half of its first message. In the others it does not"
                    + " send its second message. Penstock is measured without TLS, too, with half-sent heads in place"
                    + " of handshakes. Default of --servers: penstock, tomcat, jetty, undertow."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class SlowHandshakeCommand extends SlowClientsCommand {
    private static final long LENGTH = 1L << 20;
    private static final String NORMAL_PATH = "/hello";

    @Option(
            names = "--handshakes",
            paramLabel = "N",
            description = "Number of clients that do not finish their handshake. Default: 4000.")
    private @Nullable Integer handshakeCount;

    @Option(
            names = "--readers",
            paramLabel = "N",
            description = "Number of slow readers of a generated response. Default: 2000.")
    private @Nullable Integer readerCount;

    @Mixin
    private SlowReaders readers = new SlowReaders();

    @Override
    List<Server> usual() {
        return OverTls.SERVERS;
    }

    @Override
    List<Scenario> scenarios() {
        readers.check();
        int handshakes = atLeast(0, size(handshakeCount, 4000, 20), "--handshakes");
        int reading = atLeast(0, size(readerCount, 2000, 5), "--readers");
        int inHello = handshakes / 2;
        String generated = "/generated?bytes=" + readers.length(LENGTH);
        String besideReaders = ", " + reading + " readers";
        Company encrypted = Company.of(
                        handshakes + " half handshakes" + besideReaders,
                        handshakes + reading,
                        reading,
                        process -> new CrowdPlan(List.of(
                                new CrowdPlan.Group(inHello, half(process.target(NORMAL_PATH), Half.HELLO)),
                                new CrowdPlan.Group(
                                        handshakes - inHello, half(process.target(NORMAL_PATH), Half.HANDSHAKE)),
                                new CrowdPlan.Group(reading, readers.of(process.target(generated))))))
                .over(Transport.TLS);
        Company plain = Company.of(
                        handshakes + " half heads" + besideReaders,
                        handshakes + reading,
                        reading,
                        process -> new CrowdPlan(List.of(
                                new CrowdPlan.Group(handshakes, new Kind.HalfHead(process.target(NORMAL_PATH))),
                                new CrowdPlan.Group(reading, readers.of(process.target(generated))))))
                .over(Transport.PLAIN_BESIDE_TLS);
        return List.of(new SlowScenario(
                "slow-handshake",
                "Normal requests beside half-done handshakes",
                NORMAL_PATH,
                List.of(encrypted, plain),
                plan()));
    }

    private enum Half {
        HELLO,
        HANDSHAKE
    }

    private static Kind half(Target target, Half half) {
        try {
            SSLContext context = SSLContext.getDefault();
            return half == Half.HELLO
                    ? Kind.HalfHandshake.inHello(target, context)
                    : Kind.HalfHandshake.behindHello(target, context);
        } catch (NoSuchAlgorithmException | SSLException impossible) {
            throw new IllegalStateException("The JDK has no TLS", impossible);
        }
    }
}
