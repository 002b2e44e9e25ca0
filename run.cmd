@echo off
rem Starts the sample, the chat and the flow board, until Ctrl-C. Builds them before, if they are missing or older than their sources.
rem All arguments are options of penstock.jar. The script "run" is the same for other systems.
setlocal
set "root=%~dp0"
set "jar=%root%container\standalone\target\penstock.jar"
set "sample=%root%sample-webapp\target\sample-webapp.war"
set "chat=%root%sample-chat\target\sample-chat.war"
set "built=%root%target\built-by-run"

set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
rem Java 8 does not know this option.
"%java%" --version >nul 2>&1 || (echo run: a JDK, 17 or newer, is needed. Is JAVA_HOME right, or java on the PATH? >&2 & exit /b 1)
for /f "tokens=2 delims=. " %%v in ('""%java%" --version"') do (
  if %%v lss 17 (echo run: a JDK, 17 or newer, is needed. This is Java %%v. >&2 & exit /b 1)
  goto checked
)
:checked

set "stale=yes"
if exist "%built%" if exist "%jar%" if exist "%sample%" if exist "%chat%" (
  powershell -NoProfile -Command "Set-Location $env:root; $built = (Get-Item $env:built).LastWriteTime; if (Get-ChildItem -Recurse pom.xml, container\*\pom.xml, container\*\src\main, sample-*\pom.xml, sample-*\src\main | Where-Object LastWriteTime -gt $built) { exit 1 }" && set "stale="
)
if defined stale (
  where mvn >nul 2>&1 || (echo run: Maven, 3.8 or newer, is needed, and mvn is not on the PATH. >&2 & exit /b 1)
  echo Building the server and the two samples. The first time this takes some minutes, since Maven downloads libraries.
  if not exist "%root%target" mkdir "%root%target"
  type nul > "%built%.new"
  call mvn -f "%root%pom.xml" -B -q -Dmaven.test.skip=true -pl container/standalone,sample-webapp,sample-chat -am package || (echo run: the build failed: see above. >&2 & exit /b 1)
  move /y "%built%.new" "%built%" >nul
)

echo.
echo   sample      http://localhost:8080/
echo   chat        http://localhost:8080/chat/
echo   flow board  http://localhost:9090/
echo.
echo Ctrl-C stops the server. If another program has one of the ports: run --port 8081 --admin-port 9091
echo.
set "ports="
echo.%* | findstr /c:"--admin-port" >nul || set "ports=--admin-port 9090"
"%java%" -jar "%jar%" %ports% %* "/=%sample%" "/chat=%chat%"
