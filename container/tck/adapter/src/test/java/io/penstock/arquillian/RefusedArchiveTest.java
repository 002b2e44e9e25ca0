package io.penstock.arquillian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what happens if the server refuses the archive of a test. */
class RefusedArchiveTest {
    private final PenstockContainer container = new PenstockContainer();
    private final WebArchive refused = ShrinkWrap.create(WebArchive.class, "refused.war")
            .addAsWebInfResource(new StringAsset("<web-app><servlet/></web-app>"), "web.xml");

    private void start(boolean ignoreRefusedArchives) throws Exception {
        PenstockConfiguration configuration = new PenstockConfiguration();
        configuration.setIgnoreRefusedArchives(ignoreRefusedArchives);
        container.setup(configuration);
        container.start();
    }

    @AfterEach
    void stop() throws Exception {
        container.stop();
    }

    @Test
    void theTestClassFails() throws Exception {
        start(false);
        assertThrows(DeploymentException.class, () -> container.deploy(refused));
    }

    @Test
    void theTestsRunWithoutTheApplicationIfTheConfigurationSaysSo() throws Exception {
        start(true);
        HTTPContext where = container
                .deploy(refused)
                .getContexts(HTTPContext.class)
                .iterator()
                .next();
        URI server = URI.create("http://localhost:" + where.getPort() + "/");
        assertEquals(404, Client.get(server.toURL(), "/refused/").statusCode());
        container.undeploy(refused);
    }
}
