package io.penstock.loadtest.peers;

import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * {@link HelloServlet} on embedded Tomcat: {@code java -jar tomcat-hello.jar PORT}. Its pool of threads is the default; keep-alive
 * requests, accept backlog and connections are set to what Penstock has.
 */
public final class TomcatHello {
    private TomcatHello() {}

    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat-hello-").toString());
        Connector connector = new Connector();
        connector.setPort(Integer.parseInt(args[0]));
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("acceptCount", "4096");
        connector.setProperty("maxConnections", "20000");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "hello", new HelloServlet()).addMapping("/hello");
        tomcat.start();
        tomcat.getServer().await();
    }
}
