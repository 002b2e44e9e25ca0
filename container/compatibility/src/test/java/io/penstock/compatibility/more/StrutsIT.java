package io.penstock.compatibility.more;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.struts2.ActionSupport;
import org.apache.struts2.interceptor.parameter.StrutsParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Struts with its filter and FreeMarker pages. */
class StrutsIT {

    @TempDir
    Path folder;

    public static class Order extends ActionSupport {
        private static final long serialVersionUID = 1L;
        private String article;

        public String getArticle() {
            return article;
        }

        @StrutsParameter
        public void setArticle(String article) {
            this.article = article;
        }

        @Override
        public String execute() {
            return SUCCESS;
        }

        @Override
        public void validate() {
            if (article == null || article.isBlank()) {
                addFieldError("article", "is missing");
            }
        }
    }

    private Path war() throws IOException {
        return new War()
                .descriptor("""
                        <filter><filter-name>struts</filter-name>
                          <filter-class>org.apache.struts2.dispatcher.filter.StrutsPrepareAndExecuteFilter</filter-class>
                        </filter>
                        <filter-mapping><filter-name>struts</filter-name><url-pattern>/*</url-pattern></filter-mapping>
                        """)
                .with("WEB-INF/classes/struts.xml", """
                        <!DOCTYPE struts PUBLIC "-//Apache Software Foundation//DTD Struts Configuration 6.0//EN"
                            "https://struts.apache.org/dtds/struts-6.0.dtd">
                        <struts>
                          <package name="shop" namespace="/" extends="struts-default">
                            <action name="order" class="io.penstock.compatibility.more.StrutsIT$Order">
                              <result name="success" type="freemarker">/WEB-INF/done.ftl</result>
                              <result name="input" type="freemarker">/WEB-INF/again.ftl</result>
                            </action>
                          </package>
                        </struts>
                        """)
                .with("WEB-INF/done.ftl", "You get ${article}")
                .with("WEB-INF/again.ftl", "<#list fieldErrors?keys as field>${field} ${fieldErrors[field][0]}</#list>")
                .classes(StrutsIT.class)
                .libraries(
                        "struts2-core",
                        "ognl",
                        "freemarker",
                        "log4j-api",
                        "commons-lang3",
                        "commons-text",
                        "commons-io",
                        "commons-fileupload2",
                        "caffeine",
                        "javassist")
                .write(folder.resolve("struts.war"));
    }

    @Test
    void aStrutsApplicationRespondsAndValidatesInput() throws Exception {
        Trial.of(folder, war()).run(site -> {
            assertEquals(
                    "You get pens", site.form("order.action", "article=pens").body());
            assertEquals(
                    "article is missing", site.form("order.action", "article=").body());
            assertTrue(site.get("nowhere.action").statusCode() == 404);
        });
    }
}
