package io.penstock.peer.boot;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts the Spring Boot application {@link Shop} with the server that is on the class path. Spring Boot configures the application and the
 * server. {@code --set} sets properties of Spring Boot. The load test changes only the kind of threads and the size of the socket buffers.
 */
public final class BootPeer {
    private BootPeer() {}

    public static void main(String[] args) {
        Peer.main(args, BootPeer::start);
    }

    // The application is not closed; it ends when this process ends.
    private static Peer.Running start(PeerOptions options) {
        options.refuseTlsAndHttp2();
        if (options.tuned() || options.workers() > 0) {
            throw new IllegalArgumentException(
                    "This server has only Spring Boot's settings: use --settings default, without --workers");
        }
        List<String> arguments = new ArrayList<>();
        options.own().forEach((name, value) -> arguments.add("--" + name + "=" + value));
        arguments.add("--server.address=127.0.0.1");
        arguments.add("--server.port=" + options.port());
        arguments.add("--spring.threads.virtual.enabled=" + (options.threads() == PeerOptions.Threads.VIRTUAL));
        arguments.add("--" + Underneath.SEND_BUFFER + "=" + options.sendBuffer());
        ConfigurableApplicationContext application =
                SpringApplication.run(Shop.class, arguments.toArray(String[]::new));
        return new Peer.Running(
                "Spring Boot " + SpringBootVersion.getVersion() + ", "
                        + application.getBean(Underneath.class).name(),
                application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }
}
