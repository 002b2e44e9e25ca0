package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.annotation.WebServlet;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a SOAP service of CXF. The application uses the servlet of CXF, and does not use Spring. */
class CxfIT {
    private static final String GREET_REQUEST = """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">
              <s:Body><g:greet xmlns:g="urn:greetings"><name>Anna</name></g:greet></s:Body>
            </s:Envelope>
            """;

    @TempDir
    Path folder;

    @WebService(targetNamespace = "urn:greetings", serviceName = "greetings")
    public static class Greetings {
        @WebMethod
        public String greet(@WebParam(name = "name") String name) {
            return "Hello " + name;
        }
    }

    @WebServlet(urlPatterns = "/services/*", loadOnStartup = 1)
    public static class Services extends CXFNonSpringServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void loadBus(ServletConfig config) {
            super.loadBus(config);
            BusFactory.setThreadDefaultBus(getBus());
            new EndpointImpl(getBus(), new Greetings()).publish("/greetings");
        }
    }

    private Path war() throws IOException {
        return new War()
                .classes(CxfIT.class)
                .libraries(
                        "cxf-",
                        "jakarta.xml",
                        "jakarta.activation",
                        "jakarta.annotation-api",
                        "angus-",
                        "jaxb-",
                        "stax2-api",
                        "woodstox-core",
                        "wsdl4j",
                        "xmlschema-core",
                        "xml-resolver",
                        "neethi",
                        "asm-",
                        "txw2",
                        "istack")
                .write(folder.resolve("cxf.war"));
    }

    @Test
    void aSoapServiceOfCxfRespondsToARequest() throws Exception {
        Trial.of(folder, war()).run(site -> {
            String description = site.get("services/greetings?wsdl").body();
            assertTrue(description.contains("urn:greetings"), description);
            HttpResponse<String> answer = site.post("services/greetings", "text/xml; charset=UTF-8", GREET_REQUEST);
            assertEquals(200, answer.statusCode(), answer::body);
            assertTrue(answer.body().contains("<return>Hello Anna</return>"), answer::body);
        });
    }
}
