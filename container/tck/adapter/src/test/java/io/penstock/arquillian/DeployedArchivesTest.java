package io.penstock.arquillian;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests three archives on one server. Arquillian deploys two archives before the tests. A test deploys and undeploys the third archive. */
@ExtendWith(ArquillianExtension.class)
class DeployedArchivesTest {
    @ArquillianResource
    private Deployer deployer;

    @Deployment(testable = false, name = "first")
    static WebArchive first() {
        return ShrinkWrap.create(WebArchive.class, "first.war").addClass(WhereServlet.class);
    }

    @Deployment(testable = false, name = "root")
    static WebArchive root() {
        return ShrinkWrap.create(WebArchive.class, "ROOT.war").add(new StringAsset("a file"), "file.txt");
    }

    @Deployment(testable = false, name = "later", managed = false)
    static WebArchive later() {
        return ShrinkWrap.create(WebArchive.class, "later.war").addClass(WhereServlet.class);
    }

    @Test
    void theContextPathOfAnArchiveIsItsFileName(@ArquillianResource @OperateOnDeployment("first") URL url)
            throws Exception {
        assertEquals("/first", Client.get(url, "where").body());
    }

    @Test
    void anArchiveWithTheFileNameRootIsServedAtTheRootContext(@ArquillianResource @OperateOnDeployment("root") URL url)
            throws Exception {
        assertEquals("a file", Client.get(url, "file.txt").body());
    }

    @Test
    void aTestCanDeployAndUndeployAnArchive(@ArquillianResource @OperateOnDeployment("root") URL url) throws Exception {
        assertEquals(404, Client.get(url, "/later/where").statusCode());
        deployer.deploy("later");
        assertEquals("/later", Client.get(url, "/later/where").body());
        deployer.undeploy("later");
        assertEquals(404, Client.get(url, "/later/where").statusCode());
    }
}
