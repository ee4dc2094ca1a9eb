<?php

// Takes, extends and gives back a seat at SERVER with LICENCE_KEY, and prints what it hears.
declare(strict_types=1);

require __DIR__ . '/HostdeskLicence.php';
require __DIR__ . '/HostdeskOnline.php';

$keys = json_decode(file_get_contents(getenv('JWKS')), true)['keys'];
$one = ['server' => getenv('SERVER'), 'licence_key' => getenv('LICENCE_KEY'), 'keys' => $keys, 'fingerprint' => str_repeat('a', 64)];
$other = ['fingerprint' => str_repeat('b', 64)] + $one;
$answer = HostdeskOnline::check($one + ['requires' => ['größe']]);
echo "$answer[code] {$answer['lease']['lasts_s']} {$answer['lease']['renew_in_s']}\n";
echo HostdeskOnline::check($other)['code'], "\n";
echo json_encode(HostdeskOnline::release($one)), ' ', HostdeskOnline::check($other)['code'], "\n";
echo HostdeskOnline::check(['keys' => []] + $other)['code'], "\n";
echo json_encode(HostdeskOnline::release($other)), ' ', json_encode(HostdeskOnline::release($other)), "\n";
