package io.penstock.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.SessionScoped;
import jakarta.faces.annotation.FacesConfig;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.Serializable;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests Jakarta Faces (MyFaces) with CDI (Weld). Weld uses its own servlet integration. The archive contains no expression language and no
 * WebSocket API, because the container provides both.
 */
class FacesIT {
    private static final Pattern VIEW_STATE =
            Pattern.compile("name=\"jakarta\\.faces\\.ViewState\"[^>]*? value=\"([^\"]*)\"");

    private static final String PAGE = """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:h="jakarta.faces.html" xmlns:f="jakarta.faces.core">
            <h:head><title>Faces</title></h:head>
            <h:body>
              <h:form id="order" prependId="false">
                <h:inputText id="article" value="#{order.article}" required="true"/>
                <h:message id="wrong" for="article"/>
                <h:commandButton id="put" value="Put" action="#{order.put}"/>
              </h:form>
              <p id="basket">#{basket.content}</p>
            </h:body>
            </html>
            """;

    @TempDir
    Path folder;

    @FacesConfig
    @RequestScoped
    @Named
    public static class Order {
        @Inject
        private Basket basket;

        private String article;

        public String getArticle() {
            return article;
        }

        public void setArticle(String article) {
            this.article = article;
        }

        public String put() {
            basket.put(article);
            return null;
        }
    }

    @SessionScoped
    @Named
    public static class Basket implements Serializable {
        private static final long serialVersionUID = 1L;
        private String content = "";

        public String getContent() {
            return content;
        }

        void put(String article) {
            content += article + ";";
        }
    }

    private Path war() throws IOException {
        return new War()
                .with("WEB-INF/beans.xml", """
                        <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.1" bean-discovery-mode="annotated"/>
                        """)
                .descriptor("""
                        <servlet><servlet-name>faces</servlet-name>
                          <servlet-class>jakarta.faces.webapp.FacesServlet</servlet-class>
                          <load-on-startup>1</load-on-startup></servlet>
                        <servlet-mapping><servlet-name>faces</servlet-name>
                          <url-pattern>*.xhtml</url-pattern></servlet-mapping>
                        """)
                .with("order.xhtml", PAGE)
                .classes(FacesIT.class)
                .libraries(
                        "myfaces-",
                        "weld-",
                        "jakarta.enterprise.",
                        "jakarta.inject-api",
                        "jakarta.interceptor-api",
                        "jakarta.annotation-api",
                        "jboss-classfilewriter",
                        "jboss-logging-3")
                .write(folder.resolve("faces.war"));
    }

    @Test
    void aFacesApplicationStoresAndValidatesInput() throws Exception {
        Trial.of(folder, war()).run(site -> {
            HttpResponse<String> page = site.get("order.xhtml");
            assertEquals(200, page.statusCode(), page::body);
            assertTrue(page.body().contains("<p id=\"basket\"></p>"), page::body);
            page = put(site, page, "pens");
            assertTrue(page.body().contains("<p id=\"basket\">pens;</p>"), page::body);
            page = put(site, page, "ink");
            assertTrue(page.body().contains("<p id=\"basket\">pens;ink;</p>"), page::body);
            page = put(site, page, "");
            assertTrue(page.body().contains("Validation Error"), page::body);
            Site other = Site.at(site.root());
            assertTrue(other.get("order.xhtml").body().contains("<p id=\"basket\"></p>"));
        });
    }

    private static HttpResponse<String> put(Site site, HttpResponse<String> page, String article) throws Exception {
        Matcher state = VIEW_STATE.matcher(page.body());
        assertTrue(state.find(), page::body);
        String value = URLEncoder.encode(state.group(1), StandardCharsets.UTF_8);
        return site.form(
                "order.xhtml",
                "order_SUBMIT=1&order=order&article=" + article + "&put=Put&jakarta.faces.ViewState=" + value);
    }
}
