package io.penstock.peer.spring;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.tomcat.TomcatPeer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Objects;
import java.util.Properties;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.session.data.redis.RedisSessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;

/**
 * Runs the current Tomcat with the common content. Spring Session stores the sessions in Redis. Its configuration is that of Spring Boot:
 * the repository without an index, Java serialization, and one Lettuce connection. The option {@code --set session-store=redis://host:port}
 * has the address of Redis.
 */
public final class SpringPeer {
    private static final String STORE = "session-store";

    private SpringPeer() {}

    public static void main(String[] args) {
        Peer.main(args, SpringPeer::start);
    }

    private static Peer.Running start(PeerOptions options) throws IOException, LifecycleException {
        String location = options.own().get(STORE);
        if (location == null) {
            throw new IllegalArgumentException("This server needs --set " + STORE + "=redis://host:port");
        }
        SessionRepositoryFilter<?> sessions = sessions(URI.create(location));
        Peer.Running tomcat = TomcatPeer.start(options.without(STORE), context -> add(sessions, context));
        return new Peer.Running(tomcat.name() + ", Spring Session " + version(), tomcat.port());
    }

    private static SessionRepositoryFilter<?> sessions(URI redis) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.getHost(), redis.getPort());
        connections.afterPropertiesSet();
        connections.start();
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(connections);
        template.setKeySerializer(RedisSerializer.string());
        template.setHashKeySerializer(RedisSerializer.string());
        template.afterPropertiesSet();
        return new SessionRepositoryFilter<>(new RedisSessionRepository(template));
    }

    private static void add(SessionRepositoryFilter<?> sessions, Context context) {
        FilterDef filter = new FilterDef();
        filter.setFilterName("sessions");
        filter.setFilter(sessions);
        context.addFilterDef(filter);
        FilterMap everywhere = new FilterMap();
        everywhere.setFilterName("sessions");
        everywhere.addURLPattern("/*");
        context.addFilterMap(everywhere);
    }

    private static String version() throws IOException {
        Properties versions = new Properties();
        try (InputStream in = SpringPeer.class.getResourceAsStream("versions.properties")) {
            versions.load(Objects.requireNonNull(in));
        }
        return versions.getProperty("spring-session");
    }
}
